import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The path of an installed program. `path` is a list of folders, separated by colons; if it is empty, `PATH` is searched. */
export const findProgram = (name: string, path = ''): string | undefined =>
  (path || (process.env.PATH ?? ''))
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram)

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
