import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { find, findOrCreate } from '@figbase/client'
import { parse } from 'yaml'
import { newApiKey } from '../src/api-keys.js'
import { deployment } from '../src/deployment.js'
import { figbaseOf } from '../src/figbase.js'
import { png } from '../src/images.js'
import { signUp } from '../src/users.js'

const cli = fileURLToPath(new URL('../../../gateway/cli/', import.meta.url))

type Step = { name?: string; run?: string }
type Workflow = { jobs: { publish: { env: Record<string, string>; steps: Step[] } } }

test('the workflow of the guide publishes and comments once, also if it runs twice', async () => {
  const workflow: Workflow = parse(await readFile(join(cli, 'examples/publish-plots.yml'), 'utf8'))
  const { env, steps } = workflow.jobs.publish
  const user = await signUp()
  const { token = '' } = await newApiKey(user.api, { name: 'CI' })
  const figbase = figbaseOf({ apiKey: token })
  await findOrCreate(figbase, env.FIGBASE_WORKSPACE ?? assert.fail())
  const work = await mkdtemp(join(tmpdir(), 'figbase-ci-'))
  const run = async (name: string, more: Record<string, string> = {}) => {
    const { run = assert.fail(name) } = steps.find((step) => step.name === name) ?? {}
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['-e', '-o', 'pipefail', '-c', run],
      {
        cwd: work,
        env: {
          PATH: `${work}/bin:${process.env.PATH}`,
          ...env,
          FIGBASE_URL: deployment.origin.origin,
          FIGBASE_TOKEN: token,
          GITHUB_SHA: '3f2c',
          GITHUB_REF_NAME: 'feature/rain',
          GITHUB_RUN_ID: '1',
          GITHUB_SERVER_URL: 'https://example.org',
          GITHUB_REPOSITORY: 'lab/plots',
          ...more,
        },
      },
    )
    assert.ok(!`${stdout}${stderr}`.includes(token))
  }
  const build = async (more: Record<string, string> = {}) => {
    await run('Publish what has changed', more)
    await run('Comment on the new revisions', more)
  }
  try {
    await mkdir(join(work, 'bin'))
    await mkdir(join(work, 'plots'))
    const command = `#!/bin/sh\nexec '${process.execPath}' '${join(cli, 'dist/bundle/main.js')}' "$@"\n`
    await writeFile(join(work, 'bin/figbase'), command)
    await chmod(join(work, 'bin/figbase'), 0o755)
    await writeFile(join(work, 'plots/rain.png'), png(30, 20, 1))
    await writeFile(join(work, 'plots/rain.py'), 'plot()')
    await writeFile(join(work, 'plots/snow.png'), png(30, 20, 2))
    await build()
    await build()
    await writeFile(join(work, 'plots/snow.png'), png(30, 20, 3))
    await build({ GITHUB_SHA: '4a5d', GITHUB_RUN_ID: '2' })

    const revisionsOf = async (name: string) => {
      const path = `${env.FIGBASE_WORKSPACE}/Builds/${name}`
      const { api_id: id = assert.fail(path) } = (await find(figbase, path)) ?? {}
      const { revisions } = await figbase.get('/figure/{id}/', { path: { id } })
      const all = revisions.map(async ({ api_id }) => {
        const query = { target_type: 'figure_revision' as const, target_id: api_id }
        const comments = await figbase.get('/comment/', { query })
        const { metadata } = await figbase.get('/revision/{id}/', { path: { id: api_id } })
        return { metadata, comments: comments.map(({ content }) => content) }
      })
      return Promise.all(all)
    }
    const first = {
      metadata: { commit: '3f2c', branch: 'feature/rain', run: 1 },
      comments: [
        'Made from commit `3f2c` by [a build](https://example.org/lab/plots/actions/runs/1).',
      ],
    }
    assert.deepEqual(await revisionsOf('rain'), [first])
    const [, next] = await revisionsOf('snow')
    assert.deepEqual((await revisionsOf('snow'))[0], first)
    assert.deepEqual(next?.metadata, { commit: '4a5d', branch: 'feature/rain', run: 2 })
    assert.equal(next?.comments.length, 1)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
})
