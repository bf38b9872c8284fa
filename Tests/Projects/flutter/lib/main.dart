import 'package:amplify_flutter/amplify_flutter.dart';
import 'amplify_outputs.dart';

Future<void> main() async {
  await Amplify.configure(amplifyConfig);
}
