import { splitIdentifier } from './split-identifier.js'

/** The words of the name of a file: `data/seattle-weather.csv` is `seattle weather`. */
export function dataName(path: string): string {
  const file =
    path
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? ''
  return splitIdentifier(file.replace(/\.\w+$/, ''))
}
