import React from 'react';
import ReactDOM from 'react-dom/client';
import { Amplify } from 'aws-amplify';
import outputs from '../amplify_outputs.json';
import App from './App.tsx';

Amplify.configure(outputs);

ReactDOM.createRoot(document.getElementById('root')!).render(<App />);
