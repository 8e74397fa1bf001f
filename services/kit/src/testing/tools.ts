import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'figbase')
const manifests = ['package.json', 'pnpm-lock.yaml']

/**
 * Installs the packages of a folder that is not part of the workspace, so that `npm start` need not install them. They
 * are kept until the folder changes. Returns where `node_modules` is.
 */
export async function installTools(folder: string): Promise<string> {
  const source = join(root, folder)
  const hash = createHash('sha256')
  for (const name of manifests) hash.update(await readFile(join(source, name)))
  const target = join(cache, `${basename(folder)}-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(target)) await install(source, target)
  return target
}

// A rename at the end: several tests may install it at once.
async function install(source: string, target: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'install-'))
  try {
    for (const name of manifests) await copyFile(join(source, name), join(folder, name))
    const pnpm = join(root, 'node_modules/pnpm/bin/pnpm.cjs')
    const args = ['--ignore-workspace', 'install', '--frozen-lockfile', '--prefer-offline']
    await promisify(execFile)(process.execPath, [pnpm, '--dir', folder, ...args])
    await rename(folder, target).catch((error) => {
      if (!existsSync(target)) throw error
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
