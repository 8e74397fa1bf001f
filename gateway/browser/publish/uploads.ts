import type { UploadStore } from '@figbase/client'

const storageName = 'figbase-uploads'
const uploadsMax = 100

const nameOf = (target: object, key: string) => [...Object.values(target), key].join(' ')
const read = (): Record<string, string> => JSON.parse(sessionStorage.getItem(storageName) ?? '{}')

/** Unfinished uploads of this tab, so that they go on where they were, also after the page is loaded again. */
export const uploads: UploadStore = {
  /** A hash would take as long as the upload. */
  keyOf: (source) =>
    source instanceof File ? [source.size, source.lastModified, source.name].join(' ') : '',
  get: (target, key) => read()[nameOf(target, key)],
  set(target, key, url) {
    const { [nameOf(target, key)]: _, ...others } = read()
    const newest = Object.entries(others).slice(1 - uploadsMax)
    const all = { ...Object.fromEntries(newest), [nameOf(target, key)]: url }
    sessionStorage.setItem(storageName, JSON.stringify(all))
  },
}
