import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTools } from '@figbase/kit/testing/tools'
import { runProgram } from './run-program.js'
import { typesOf } from './types-of-document.js'

const folder = fileURLToPath(new URL('../../../', import.meta.url))
const compiler = join(folder, '../node_modules/typescript/bin/tsc')

/** Generates types, compiles `clients/publish.ts` with them, and runs it. */
export async function publishWithTypes(
  document: object,
  env: Record<string, string>,
): Promise<string> {
  const tools = await installTools('test/openapi-tools')
  const work = await mkdtemp(join(tmpdir(), 'figbase-client-'))
  try {
    await typesOf(document, work)
    await writeFile(join(work, 'package.json'), '{ "type": "module" }')
    await copyFile(join(folder, 'clients/publish.ts'), join(work, 'publish.ts'))
    await symlink(join(tools, 'node_modules'), join(work, 'node_modules'))
    await symlink(join(folder, '../node_modules/@types'), join(work, 'types'))
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
    const types = ['--typeRoots', join(work, 'types'), '--types', 'node']
    const files = [join(work, 'publish.ts'), join(work, 'api.ts')]
    await runProgram(process.execPath, [compiler, ...options, ...types, ...files])
    return await runProgram(process.execPath, [join(work, 'publish.js')], env)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
