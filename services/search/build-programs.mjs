// Translates the WebAssembly programs of this package from their text format, next to the code that loads them.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import wabt from 'wabt'

const { parseWat } = await wabt()

for (const file of await readdir('src', { recursive: true })) {
  if (!file.endsWith('.wat')) continue
  const source = await readFile(join('src', file), 'utf8')
  const program = parseWat(file, source, { simd: true })
  const out = join('dist/src', file.replace(/wat$/, 'wasm'))
  await mkdir(dirname(out), { recursive: true })
  await writeFile(out, program.toBinary({}).buffer)
}
