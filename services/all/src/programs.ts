import { fileURLToPath } from 'node:url'

/** A program that runs in its own process: its name, and the file of `bundle.mjs` that Node.js runs. */
export type Program = { name: string; file: string }

const program = (name: string): Program => ({
  name,
  file: fileURLToPath(new URL(`../bundle/${name}.js`, import.meta.url)),
})

export const gatewayProgram: Program = program('gateway')

export const servicePrograms: Program[] = [
  'identity',
  'catalog',
  'revisions',
  'comments',
  'compute',
  'search',
  'stories-ai',
  'tasks',
].map(program)

const programs = [gatewayProgram, ...servicePrograms]

export const processNames: string[] = programs.map(({ name }) => name)

export function programOf(name: string): Program {
  const found = programs.find((one) => one.name === name)
  if (!found) throw new Error(`unknown process ${name}`)
  return found
}
