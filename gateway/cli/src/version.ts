/** The version of the package. A test compares it. */
export const version = '0.1.0'
