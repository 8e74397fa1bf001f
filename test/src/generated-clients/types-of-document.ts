import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installTools } from '@figbase/kit/testing/tools'
import { runProgram } from './run-program.js'

/** The TypeScript of the types of an OpenAPI document, as openapi-typescript makes it. */
export async function typesOf(document: object, work: string): Promise<string> {
  const tools = await installTools('test/openapi-tools')
  const [input, output] = [join(work, 'openapi.json'), join(work, 'api.ts')]
  await writeFile(input, JSON.stringify(document))
  const program = join(tools, 'node_modules/openapi-typescript/bin/cli.js')
  await runProgram(process.execPath, [program, input, '-o', output])
  return readFile(output, 'utf8')
}
