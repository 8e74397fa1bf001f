import { processNames } from '../programs.js'
import { type Description, refuseWords } from './command.js'

export const serve: Description = {
  name: 'serve',
  summary: 'runs one process of a distributed deployment, configured by the environment only',
  arguments: {
    all: 'all of them in one process, like `start`',
    '<process>': processNames.join(', '),
  },
  options: {},
  example: 'serve gateway',
}

/** The process to run; undefined for all. */
export function parseServe([name = '', ...rest]: string[]): string | undefined {
  refuseWords(rest)
  if (name === 'all') return undefined
  if (processNames.includes(name)) return name
  throw new Error(`serve takes one of all, ${processNames.join(', ')}`)
}
