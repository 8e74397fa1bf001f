/** The name of the installation's own storage; the others are ids. */
export const defaultStorage = 'default'
