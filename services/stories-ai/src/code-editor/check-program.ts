import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { moduleName } from './package-names.js'
import { type Parsed, parsePython } from './python.js'
import { openR } from './r.js'
import { pythonLibrary, rLibrary } from './standard-libraries.js'

/** The program of a child process that parses code: a text may overflow the stack of a parser, or take very long. */
export type CheckOptions = { memoryBytesMax: number }
export type CodeLanguage = 'python' | 'r'
export type CheckRequest = {
  language: CodeLanguage
  code: string
  /** Null: all. */
  packages: string[] | null
}
export type CheckReply = { problem: string | null }

let parseR: ((code: string) => Parsed) | undefined

const { memoryBytesMax } = optionsOfParent<CheckOptions>()

answerParent<CheckRequest, CheckReply>(memoryBytesMax, async ({ language, code, packages }) => {
  const { problem, imports } = await parse(language, code)
  if (problem !== undefined) return { problem }
  const library = language === 'r' ? rLibrary : pythonLibrary
  const available = packages && new Set(packages.map(moduleName))
  const missing = imports.find(
    (name) => available && !library.has(name) && !available.has(moduleName(name)),
  )
  return { problem: missing === undefined ? null : `the package ${missing} is not available` }
})

async function parse(language: CodeLanguage, code: string): Promise<Parsed> {
  if (language === 'python') return parsePython(code)
  parseR ??= await openR()
  return parseR(code)
}
