import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from './support/launched.js'
import { NotebookProduct, withoutNotebooks as skip } from './support/notebook-product.js'

/** Python that the notebook server runs at its start: the cells of the first notebook, then it publishes. */
const configuration = `
import json, os, threading, urllib.request

def call(path, body=None):
    headers = {'Authorization': 'Token ' + os.environ['GF_API_KEY'], 'Content-Type': 'application/json'}
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(os.environ['GF_URL'] + '/api/v1.4.1/' + path, data, headers)
    return json.load(urllib.request.urlopen(request, timeout=20))

def publish():
    values = {}
    for cell in json.load(open('/home/notebook/welcome.ipynb'))['cells']:
        if cell['cell_type'] == 'code': exec(cell['source'], values)
    workspace = values['workspace']
    analysis = call('analysis/', {'name': 'From a notebook', 'workspace': workspace['api_id']})
    figure = call('figure/', {'name': 'Figure 1', 'analysis': analysis['api_id']})
    with open('/home/notebook/published.tmp', 'w') as file:
        json.dump([workspace['name'], figure['api_id'], os.environ['GF_API_KEY']], file)
    os.rename('/home/notebook/published.tmp', '/home/notebook/published.json')

threading.Thread(target=publish).start()
`

test('a notebook is launched, outlives Figbase, publishes, and is stopped, started and terminated', {
  skip,
}, async () => {
  await using product = await NotebookProduct.start()
  const { workspace } = product
  const call = product.call.bind(product)
  const options = await call('GET', `workspace/${workspace}/compute_instances/launch_options/`, 200)
  assert.ok(options)
  const id = await product.launch()
  const { running_since } = await product.reaches(id, 'running')
  const volume = product.volume(id)
  assert.ok(existsSync(join(volume, 'welcome.ipynb')))

  await product.restart()
  assert.equal((await product.reaches(id, 'running')).running_since, running_since)

  await call('POST', `compute/instance/${id}/stop/`, 202)
  await product.reaches(id, 'stopped')
  const { uid, gid } = await stat(volume)
  const settings = join(volume, '.jupyter')
  await mkdir(settings, { recursive: true })
  await chown(settings, uid, gid)
  await writeFile(join(settings, 'jupyter_notebook_config.py'), configuration)

  await call('POST', `compute/instance/${id}/start/`, 202)
  await product.reaches(id, 'running')
  const published = join(volume, 'published.json')
  await until(() => existsSync(published), 'the notebook to publish')
  const [name, figure, key] = JSON.parse(await readFile(published, 'utf8'))
  assert.equal(name, 'Cells')
  assert.equal((await call('GET', `figure/${figure}/`, 200)).name, 'Figure 1')

  const seconds = async () =>
    (await call('GET', `compute/instance/${id}/usage/`, 200)).billable_seconds
  await until(async () => (await seconds()) > 0, 'usage')
  await call('POST', `compute/instance/${id}/terminate/`, 202)
  await until(async () => {
    const left = await call('GET', `workspace/${workspace}/compute_instances/`, 200)
    return left.length === 0 && !existsSync(volume)
  }, 'the notebook to be terminated')
  await until(async () => {
    const response = await fetch(`${product.url}/api/v1.4.1/workspace/${workspace}/`, {
      headers: { authorization: `Token ${key}` },
    })
    return response.status === 401
  }, 'the API key to be revoked')
})
