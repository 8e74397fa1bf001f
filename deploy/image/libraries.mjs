import { execFileSync } from 'node:child_process'

/**
 * The shared libraries of the system that the programs and libraries in `files` need, directly or not, with the program
 * that loads them, as the loader of this system finds them.
 */
export function librariesOf(files) {
  const found = new Set()
  for (const file of files) {
    const lines = execFileSync('ldd', [file], { encoding: 'utf8' }).split('\n')
    for (const line of lines) {
      if (/not found/.test(line)) throw new Error(`${file}: ${line.trim()}`)
      const path = /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1]
      if (path) found.add(path)
    }
  }
  return [...found].sort()
}
