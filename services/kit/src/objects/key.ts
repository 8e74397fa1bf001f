/** Objects of stories-ai, in the store whose other objects belong to revisions. */
export const exportsPrefix = 'exports/'

const keyPattern = /^[\w.-]+(\/[\w.-]+)*$/

/** Throws for an invalid object key; the same rules hold in every store. */
export function requireKey(key: string): void {
  if (!keyPattern.test(key) || key.split('/').some((part) => /^\.+$/.test(part))) {
    throw new Error(`invalid object key: ${key}`)
  }
}

/** The folder part of a key prefix, with its slash; may be empty. */
export const folderOf = (prefix: string): string => prefix.slice(0, prefix.lastIndexOf('/') + 1)
