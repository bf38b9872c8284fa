import { createApp } from 'vue';
import { Amplify } from 'aws-amplify';
import outputs from '../amplify_outputs.json';
import App from './App.vue';

Amplify.configure(outputs);

createApp(App).mount('#app');
