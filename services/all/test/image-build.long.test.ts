import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readDockerfile } from './support/image/dockerfile.js'
import {
  assembleImage,
  imageNode,
  imageSkipReason,
  repository,
  uid,
} from './support/image/image.js'

const run = promisify(execFile)

test('the steps of the Dockerfile make the same image from a clone, as an ordinary user', {
  skip: imageSkipReason(),
}, async (t) => {
  await using image = await assembleImage()
  // On a disk: packages and what is built of them need gigabytes.
  const folder = await mkdtemp(join(tmpdir(), 'figbase-image-build-'))
  try {
    const [source, home, target] = ['src', 'home', 'image'].map((name) => join(folder, name))
    for (const each of [source, home, target]) await mkdir(each ?? '')
    const { stdout: tracked } = await run('git', ['ls-files'], { cwd: repository })
    for (const path of tracked.trim().split('\n')) {
      await cp(join(repository, path), join(source ?? '', path), { recursive: true })
    }
    let output = ''
    for (const command of readDockerfile().run) {
      const words = (command ?? []).map((word) => (word === '/image' ? '/folder/image' : word))
      const started = performance.now()
      const { stdout } = await run('bwrap', [
        // Nothing of the checkout: only the programs and libraries of the system, and Node.js.
        ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc', '--tmpfs', '/tmp'],
        ...['/bin', '/lib', '/lib64'].flatMap((path) => ['--ro-bind', path, path]),
        ...['--proc', '/proc', '--dev', '/dev', '--bind', folder, '/folder'],
        ...['--ro-bind', dirname(dirname(imageNode)), '/node'],
        ...['--unshare-user', '--uid', `${uid}`, '--gid', `${uid}`, '--unshare-pid'],
        ...['--clearenv', '--setenv', 'HOME', '/folder/home'],
        ...['--setenv', 'PATH', '/node/bin:/usr/local/bin:/usr/bin:/bin'],
        ...Object.entries(process.env)
          .filter(([name]) =>
            /^(npm_config_|https?_proxy|no_proxy|SSL_CERT|NODE_EXTRA_CA)/i.test(name),
          )
          .flatMap(([name, value]) => ['--setenv', name, value ?? '']),
        ...['--chdir', '/folder/src', ...words],
      ])
      output = stdout
      t.diagnostic(`${words.join(' ')}: ${Math.round((performance.now() - started) / 1000)} s`)
    }
    t.diagnostic(output.trim())
    const expected = digestsOf(image.root)
    const built = digestsOf(target ?? '')
    const paths = [...new Set([...expected.keys(), ...built.keys()])]
    assert.deepEqual(
      paths.filter((path) => expected.get(path) !== built.get(path)),
      [],
    )
    assert.equal(output, image.output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** The digest of each file, and the target of each link. */
function digestsOf(root: string, below = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (entry.isDirectory())
      for (const [name, digest] of digestsOf(root, path)) found.set(name, digest)
    else if (entry.isSymbolicLink()) found.set(path, readlinkSync(join(root, path)))
    else if (entry.isFile()) {
      found.set(
        path,
        createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest('hex'),
      )
    }
  }
  return found
}
