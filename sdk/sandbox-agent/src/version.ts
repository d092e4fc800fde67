/** The version of this package; the same as package.json says, which a check sees to. */
export const version = "0.1.0";
