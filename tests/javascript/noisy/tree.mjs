export const read = (data) => {
  console.error("printed while reading");
  return JSON.parse(data.toString());
};
