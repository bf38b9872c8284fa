exports.handler = async (event) => {
  const domain = event.request.userAttributes.email.split('@')[1];
  if (domain !== process.env.DOMAIN) throw new Error(`Invalid email domain: ${domain}`);
  event.response.autoConfirmUser = true;
};
