import type { Input } from '../../endpoint.js'
import { searchPath } from './values.js'

/** Longer ones cannot be searched for. */
const keyCharsMax = 200
const valueCharsMax = 500

/** The search for a value of metadata, for signed-in users. A name with `=` could not be told from its value. */
export const metadataLink =
  ({ username }: Input) =>
  (path: string[], value: unknown): string | undefined => {
    const key = path.join('.')
    const text = String(value)
    const isSearchable =
      username !== '' &&
      value !== null &&
      isKey(key) &&
      text.length <= valueCharsMax &&
      isTrimmed(text)
    return isSearchable ? searchPath({ meta: [`${key}=${text}`] }) : undefined
  }

const isKey = (key: string) =>
  key !== '' && key.length <= keyCharsMax && !key.includes('=') && isTrimmed(key)

const isTrimmed = (text: string) => text === text.trim()
