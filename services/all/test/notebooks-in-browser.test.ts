import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openBrowser, type Person, withoutBrowser } from '@figbase/kit/testing/chromium'
import { until } from './support/launched.js'
import { NotebookProduct, withoutNotebooks } from './support/notebook-product.js'

/** Publishes a figure, as the cell of a notebook that has run those of the first notebook. */
const publishing = `
def call(path, body):
    data = json.dumps(body).encode()
    request = urllib.request.Request(f"{os.environ['GF_URL']}/api/v1.4.1/{path}", data, {**headers, 'Content-Type': 'application/json'})
    return json.load(urllib.request.urlopen(request, timeout=20))

analysis = call('analysis/', {'name': 'From the browser', 'workspace': workspace['api_id']})
figure = call('figure/', {'name': 'Figure 1', 'analysis': analysis['api_id']})
print('published', figure['api_id'])`

const outputs = `Jupyter.notebook.get_cells().map((cell) => cell.output_area ? JSON.stringify(cell.output_area.toJSON()) : '').join()`

test('a notebook is opened in a browser, runs cells, publishes, and is closed by a stop', {
  skip: withoutNotebooks || withoutBrowser,
}, async () => {
  await using product = await NotebookProduct.start()
  await using browser = await openBrowser()
  const id = await product.launch()
  await product.reaches(id, 'running')
  const path = `compute/instance/${id}/connect/`
  const { redirect_url: address, expires_in_seconds } = await product.call('GET', path, 200)
  assert.equal(expires_in_seconds, 60)
  await browser.use(async (person) => {
    await person.go(new URL(address))
    const { origin, pathname } = new URL(String(await person.read('location.href')))
    assert.equal(origin, new URL(address).origin)
    assert.equal(pathname, `/instance/${id}/tree`)
    await until(async () => Boolean(await person.read(hasText('welcome.ipynb'))), 'the files')
    await look(person, 'files')
    assert.equal(await person.read('document.body.dataset.jupyterApiToken ?? ""'), '')
    assert.equal(await person.read('document.cookie'), '')

    await person.go(new URL(`/instance/${id}/notebooks/welcome.ipynb`, origin))
    const isConnected = 'Boolean(window.Jupyter?.notebook?.kernel?.is_connected())'
    await until(async () => (await person.read(isConnected)) === true, 'the kernel')
    await person.read('Jupyter.notebook.execute_all_cells()')
    await until(async () => /'Cells'/.test(String(await person.read(outputs))), 'the cells to run')
    await person.read(
      `(() => { const cell = Jupyter.notebook.insert_cell_at_bottom('code'); cell.set_text(${JSON.stringify(publishing)}); cell.execute() })()`,
    )
    const published = /published ([\w-]{36})/
    await until(async () => published.test(String(await person.read(outputs))), 'the figure')
    await look(person, 'notebook')
    const [, figure = ''] = published.exec(String(await person.read(outputs))) ?? []
    assert.equal((await product.call('GET', `figure/${figure}/`, 200)).name, 'Figure 1')

    await product.call('POST', `compute/instance/${id}/stop/`, 202)
    await until(async () => (await person.read(isConnected)) === false, 'the end of the WebSocket')
    await product.reaches(id, 'stopped')
    await person.go(new URL(`/instance/${id}/tree`, origin))
    assert.ok(await person.read(hasText('not open in this browser')))
    await look(person, 'closed')
  })
  await browser.use(async (person) => {
    await person.go(new URL(address))
    assert.ok(await person.read(hasText('not open in this browser')), 'an address works once')
  })
})

const hasText = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`

/** Writes a screenshot into SCREENSHOTS, a directory, to be looked at. */
async function look(person: Person, name: string) {
  const { SCREENSHOTS: directory } = process.env
  if (directory) await writeFile(`${directory}/notebook-${name}.png`, await person.screenshot())
}
