import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { installTools } from '@figbase/kit/testing/tools'

const client = fileURLToPath(import.meta.resolve('@figbase/client'))

/** A program for browsers, in one file, from a module that imports `@figbase/client`. */
export async function bundle(module: string): Promise<{ text: string; gzipBytes: number }> {
  const tools = await installTools('test/client-tools')
  const { build } = createRequire(join(tools, 'package.json'))('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: module, resolveDir: tools },
    alias: { '@figbase/client': client },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  })
  const { text } = outputFiles[0] as { text: string }
  return { text, gzipBytes: gzipSync(text, { level: 9 }).length }
}

/** Runs a program in Deno, which may use the network and nothing else, and returns what it printed. */
export async function runInDeno(program: string): Promise<string> {
  const tools = await installTools('test/client-tools')
  const require = createRequire(
    createRequire(join(tools, 'package.json')).resolve('deno/package.json'),
  )
  const glibc = process.platform === 'linux' ? '-glibc' : ''
  const platform = `@deno/${process.platform}-${process.arch}${glibc}/package.json`
  const deno = require.resolve(platform).replace(/package\.json$/, 'deno')
  const work = await mkdtemp(join(tmpdir(), 'figbase-deno-'))
  try {
    await writeFile(join(work, 'program.js'), program)
    const env = {
      ...process.env,
      DENO_DIR: join(work, 'cache'),
      DENO_NO_UPDATE_CHECK: '1',
      NO_COLOR: '1',
    }
    const args = ['run', '--no-prompt', '--allow-net=127.0.0.1', join(work, 'program.js')]
    const { stdout } = await promisify(execFile)(deno, args, { env, timeout: 60_000 })
    return stdout.trim()
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The names that `@figbase/client` exports. */
export async function exportedNames(): Promise<string[]> {
  return Object.keys(await import('@figbase/client'))
}
