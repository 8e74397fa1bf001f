import { bytesText } from '../bytes-text.js'
import type { Counted } from './manifest.js'

/** For example `1234 files, 12.3 MiB`. */
export const filesText = ({ files, bytes }: Counted): string =>
  `${files} ${files === 1 ? 'file' : 'files'}, ${bytesText(bytes)}`
