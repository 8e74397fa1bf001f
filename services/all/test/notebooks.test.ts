import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from './support/launched.js'
import { NotebookProduct, withoutNotebooks as skip } from './support/notebook-product.js'

const idleSeconds = 4
const busySeconds = 6

/**
 * Python that the notebook server runs at its start: the cells of the first notebook, then it publishes. Then a cell runs
 * for longer than an instance may be idle, and uses no processor.
 */
const configuration = `
import http.client, json, os, socket, subprocess, sys, threading, time, urllib.request

client = '''
import os, sys
from jupyter_client import BlockingKernelClient
client = BlockingKernelClient()
client.load_connection_file(os.environ['JUPYTER_RUNTIME_DIR'] + '/kernel-' + sys.argv[1] + '.json')
client.start_channels()
client.execute("""
import time
open('/home/notebook/begun', 'w')
time.sleep(${busySeconds})
open('/home/notebook/done', 'w')
""")
# It is sent when the kernel listens.
client.get_shell_msg()
'''

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

def start_kernel():
    option = '--NotebookApp.base_url='
    base = next(each for each in sys.argv if each.startswith(option))[len(option):]
    connection = http.client.HTTPConnection('localhost')
    connection.sock = socket.socket(socket.AF_UNIX)
    # It does not listen yet.
    while connection.sock.connect_ex('/run/notebook/jupyter.sock') != 0: time.sleep(0.1)
    headers = {'Authorization': 'token ' + os.environ['JUPYTER_TOKEN']}
    connection.request('POST', base + 'api/kernels', '{}', headers)
    return json.load(connection.getresponse())['id']

def run():
    publish()
    # A process of its own, because the client would take over the event loop of the server.
    subprocess.run([sys.executable, '-c', client, start_kernel()], check=True)

threading.Thread(target=run).start()
`

test('a notebook is launched, outlives Figbase, publishes, is stopped when it is idle, and is terminated', {
  skip,
}, async () => {
  await using product = await NotebookProduct.start({
    COMPUTE_HEARTBEAT_INTERVAL: '200ms',
    // Otherwise it takes seconds after the start of a kernel until an instance is idle.
    COMPUTE_IDLE_CPU_PCT: '60',
  })
  const { workspace } = product
  const call = product.call.bind(product)
  const options = await call('GET', `workspace/${workspace}/compute_instances/launch_options/`, 200)
  assert.ok(options)
  const id = await product.launch()
  const { running_since } = await product.reaches(id, 'running')
  const volume = product.volume(id)
  assert.ok(existsSync(join(volume, 'welcome.ipynb')))

  const account = await call('GET', 'user/ann/export/', 200)
  const [listed] = account.compute_instances as { api_id: string; lifecycle: string }[]
  assert.deepEqual([listed?.api_id, listed?.lifecycle], [id, 'running'])

  await product.restart()
  assert.equal((await product.reaches(id, 'running')).running_since, running_since)

  await call('POST', `compute/instance/${id}/stop/`, 202)
  await product.reaches(id, 'stopped')
  const { uid, gid } = await stat(volume)
  const settings = join(volume, '.jupyter')
  await mkdir(settings, { recursive: true })
  await chown(settings, uid, gid)
  await writeFile(join(settings, 'jupyter_notebook_config.py'), configuration)

  const liveKinds = await product.followInstances()
  await call('POST', `compute/instance/${id}/start/`, 202)
  await product.reaches(id, 'running')
  const published = join(volume, 'published.json')
  await until(() => existsSync(published), 'the notebook to publish')
  const [name, figure, key] = JSON.parse(await readFile(published, 'utf8'))
  assert.equal(name, 'Cells')
  assert.equal((await call('GET', `figure/${figure}/`, 200)).name, 'Figure 1')

  await until(() => existsSync(join(volume, 'begun')), 'the cell to begin')
  const idle = { idle_shutdown_seconds: idleSeconds }
  await call('PATCH', `compute/instance/${id}/`, 200, idle)
  await until(() => existsSync(join(volume, 'done')), 'the cell to end')
  const kinds = async () =>
    (await call('GET', `compute/instance/${id}/events/`, 200)).map(
      ({ kind }: { kind: string }) => kind,
    )
  assert.ok(!(await kinds()).includes('idle_stop'), 'it was not idle')
  const { status_detail } = await product.reaches(id, 'stopped')
  assert.match(status_detail, /^It was idle for \d+ seconds\.$/)
  assert.deepEqual((await kinds()).slice(0, 3), ['run_stopped', 'idle_stop', 'idle_warning'])
  await until(() => liveKinds(id).includes('run_stopped'), 'the live events')
  assert.deepEqual(liveKinds(id).reverse(), (await kinds()).slice(0, liveKinds(id).length))
  await rm(join(settings, 'jupyter_notebook_config.py'))
  await call('POST', `compute/instance/${id}/start/`, 202)
  await product.reaches(id, 'running')
  assert.ok(existsSync(published))

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
