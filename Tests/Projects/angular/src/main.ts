import { bootstrapApplication } from '@angular/platform-browser';
import { Amplify } from 'aws-amplify';
import outputs from '../amplify_outputs.json';
import { AppComponent } from './app/app.component';

Amplify.configure(outputs);

bootstrapApplication(AppComponent);
