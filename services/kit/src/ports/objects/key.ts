const keyPattern = /^[\w.-]+(\/[\w.-]+)*$/

/** Refuses what is no key of an object: the same in every store. */
export function requireKey(key: string): void {
  if (!keyPattern.test(key) || key.split('/').some((part) => /^\.+$/.test(part))) {
    throw new Error(`not an object key: ${key}`)
  }
}

/** The folder that a prefix of keys names, with its slash; may be empty. */
export const folderOf = (prefix: string): string => prefix.slice(0, prefix.lastIndexOf('/') + 1)
