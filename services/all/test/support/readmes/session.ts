import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@figbase/kit/net'
import { isAlive } from '../../../src/postgres/processes.js'
import { postgresPid, until } from '../launched.js'
import type { Block } from './blocks.js'

// For a busy machine; usually it takes 30 s. Less than the timeout of a test file.
const limitMs = 460_000
const notLinked = new Set(['.git', '.turbo', '.figbase', 'grpc-client'])

/** Ports in documents; each is replaced by a free port. */
const ports = /\b(8000|9464|50051)\b/g

/** A shell in a directory that looks like a clone; ends what the documents start in it. */
export class Session implements AsyncDisposable {
  readonly #own: string
  readonly #clone: string
  readonly #ports = new Map<string, number>()

  private constructor(private readonly dir: string) {
    this.#own = join(dir, 'session')
    this.#clone = join(dir, 'clone')
  }

  static async open(root: string): Promise<Session> {
    const session = new Session(await mkdtemp(join(tmpdir(), 'figbase-readme-')))
    await mkdir(join(session.#own, 'bin'), { recursive: true })
    await mkdir(session.#clone)
    for (const name of await readdir(root)) {
      if (!notLinked.has(name)) await symlink(join(root, name), join(session.#clone, name))
    }
    // The packages that the README installs from the network, in the same versions.
    await mkdir(join(session.#clone, 'grpc-client'))
    const packages = join(session.#clone, 'grpc-client', 'node_modules')
    await symlink(join(root, 'services', 'kit', 'node_modules'), packages)
    return session
  }

  /** Runs the blocks one after the other in one shell; the first that fails is an error with all that it printed. */
  async run(blocks: Block[]): Promise<void> {
    const script = ['set -euo pipefail']
    for (const [index, { text }] of blocks.entries()) {
      const file = join(this.#own, `${index}`)
      await writeFile(`${file}.sh`, await this.#withPorts(text))
      script.push(`echo ${index} $SECONDS >> '${this.#begunFile}'`)
      script.push(`source '${file}.sh' > '${file}.out' 2>&1 < /dev/null`)
    }
    const file = join(this.#own, 'session.sh')
    await writeFile(file, `${script.join('\n')}\n`)
    const ended = await this.#bash(file)
    if (ended === 0) return
    const begun = (await readFile(this.#begunFile, 'utf8')).trim().split('\n')
    const [index = '', seconds] = begun.at(-1)?.split(' ') ?? []
    const block = blocks[Number(index)]
    const output = await readFile(join(this.#own, `${index}.out`), 'utf8')
    const what = `ended with ${ended}; it began after ${seconds} s`
    throw new Error(
      `${block?.document}:${block?.line}: ${what}\n\n${block?.text}\n${shorten(output)}`,
    )
  }

  async #bash(file: string): Promise<number | string> {
    await this.#writePrograms()
    const child = spawn('bash', ['--noprofile', '--norc', file], {
      cwd: this.#clone,
      stdio: ['ignore', 'ignore', 'inherit'],
      signal: AbortSignal.timeout(limitMs),
      env: {
        HOME: process.env.HOME,
        PATH: `${join(this.#own, 'bin')}:${process.env.PATH}`,
        PORT: String(await this.#port('8000')),
        FIGBASE_DATA_DIR: join(this.#clone, '.figbase'),
      },
    })
    const close = once(child, 'close')
    const [code, signal] = await close.catch((error: Error) => [
      error.name === 'AbortError' ? `timed out after ${limitMs / 1000} s` : error.message,
    ])
    return code ?? signal
  }

  /**
   * Wrappers: curl fails on API errors, and node runs the product in the background. npx takes as long to find a program as
   * the program itself, so it is left out; `command-forms.test.ts` runs it.
   */
  async #writePrograms(): Promise<void> {
    const programs = {
      curl: `exec '${await which('curl')}' --fail-with-body "$@"`,
      npx: 'program="$1"; shift; exec "node_modules/.bin/$program" "$@"',
      node: serving(process.execPath, this.#pidFile),
    }
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(this.#own, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    }
  }

  get #begunFile(): string {
    return join(this.#own, 'begun')
  }

  get #pidFile(): string {
    return join(this.#own, 'pid')
  }

  async #withPorts(text: string): Promise<string> {
    for (const [port] of text.matchAll(ports)) await this.#port(port)
    return text.replace(ports, (port) => String(this.#ports.get(port)))
  }

  async #port(named: string): Promise<number> {
    const port = this.#ports.get(named) ?? (await freePort())
    this.#ports.set(named, port)
    return port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pid = Number(await readFile(this.#pidFile, 'utf8').catch(() => ''))
    if (pid && isAlive(pid)) process.kill(pid, 'SIGTERM')
    await until(() => !pid || !isAlive(pid), 'the product to end')
    const postgres = await postgresPid(join(this.#clone, '.figbase'))
    await until(() => !postgres || !isAlive(postgres), 'PostgreSQL to end')
    await rm(this.dir, { recursive: true, force: true })
  }
}

/**
 * Starts the product in the background, as in a second terminal, and waits until it serves; another start ends the
 * previous one.
 */
const serving = (node: string, pidFile: string) => `
case "$1 \${2:-}" in
  'services/all/start.mjs ' | 'services/all/start.mjs --distributed') ;;
  *) exec '${node}' "$@" ;;
esac
alive() { kill -0 "$1" 2> /dev/null && [ "$(ps -o stat= -p "$1" | cut -c1)" != Z ]; }
if [ -e '${pidFile}' ]; then
  before=$(cat '${pidFile}')
  kill "$before"
  while alive "$before"; do sleep 0.1; done
fi
rm -f "$FIGBASE_DATA_DIR/url"
'${node}' "$@" &
echo $! > '${pidFile}'
until [ -s "$FIGBASE_DATA_DIR/url" ] && curl -s -o /dev/null "$(cat "$FIGBASE_DATA_DIR/url")/readyz"; do
  alive $! || exit 1
  sleep 0.4 # each round starts processes
done`

/** Shortens long lines, such as images in base64. */
const shorten = (output: string) => output.replace(/(?<=^.{1000}).+$/gm, '…')

async function which(program: string): Promise<string> {
  const child = spawn('sh', ['-c', `command -v ${program}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let path = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    path += chunk
  })
  await once(child, 'close')
  return path.trim()
}
