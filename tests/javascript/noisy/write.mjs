console.log("printed while loading");

export const write = (root) => {
  console.log("printed while writing");
  process.stdout.write("written too\n");
  return JSON.stringify(root);
};
