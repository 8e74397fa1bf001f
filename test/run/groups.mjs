import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../services/all/prepare.mjs'

// Loading the modules of a service takes a second of CPU, so files of a package share a process, one after the other.
const filesMax = 14
// They take longer, and a long group at the end would run without others.
const endToEndFilesMax = 4

const alone = [
  // They start the product.
  /^services\/all\//,
  // They start processes that outlive them.
  /^services\/compute\/dist\/test\/local-/,
  // It takes minutes.
  /\/information-leaks\.test\.js$/,
  // They count in a module what they have tried.
  /\/authorization-matrix-\d\.test\.js$/,
  // Others forbid `sharp` to read SVG in their process.
  /\/figure-similarity\.test\.js$/,
]

// They wait for minutes and use no processor time.
const waiting = [/^services\/all\/dist\/test\/idle\.test\.js$/]

const changesProcess =
  /\bprocess\.(env[.[]\S+ = |chdir|umask|on\()|delete process\.env|\bsharp\.(block|cache)/

/** Whether a group can run beside the others. */
export const isWaiting = ([file]) => waiting.some((one) => one.test(file))

/** Splits a sorted list into the files of each process: first those that are alone, because they take longest. */
export function groupsOf(files) {
  const groups = []
  for (const file of files) {
    const last = groups.at(-1)
    const fits = last && last.length < maxOf(file) && keyOf(last[0]) === keyOf(file)
    if (fits) last.push(file)
    else groups.push([file])
  }
  return [...groups.filter(isOfOne), ...groups.filter((group) => !isOfOne(group))]
}

const isOfOne = ([file]) => isAlone(file)

const keyOf = (file) => (isAlone(file) ? file : file.split('/dist/')[0])

const maxOf = (file) => (file.startsWith('test/') ? endToEndFilesMax : filesMax)

const isAlone = (file) =>
  alone.some((one) => one.test(file)) ||
  changesProcess.test(readFileSync(resolve(root, file), 'utf8'))

let count = 0

/** Writes a test file that runs others, each as a suite with its name. */
export function writeGroup(files, names) {
  const path = join(process.env.TMPDIR, `group-${++count}.mjs`)
  const suites = files.map((file, i) => {
    const url = JSON.stringify(pathToFileURL(resolve(root, file)).href)
    return `describe(${JSON.stringify(names[i])}, async () => { await import(${url}) })`
  })
  writeFileSync(path, `import { describe } from 'node:test'\n${suites.join('\n')}\n`)
  return path
}
