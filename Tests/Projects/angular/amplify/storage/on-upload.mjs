export const handler = async (event) => {
  for (const record of event.Records) console.log(`uploaded ${record.s3.object.key} to ${process.env.PHOTOS_BUCKET_NAME}`);
};
