export const handler = async (event) => {
  console.log(`welcome to ${process.env.GROUP_NAME}, ${event.request.userAttributes.email}`);
  return event;
};
