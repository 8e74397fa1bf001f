/** The name of the installation's own storage. Other storages are named by their ids. */
export const defaultStorage = 'default'
