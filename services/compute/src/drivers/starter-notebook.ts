export const starterName = 'welcome.ipynb'

const cells = [
  {
    cell_type: 'markdown',
    source:
      '# Welcome\n\nThis notebook runs beside the figures of your workspace. Files in this directory are kept when it stops.',
  },
  {
    cell_type: 'code',
    source:
      "import os\n\nprint('Figbase:', os.environ['GF_URL'])\nprint('Workspace:', os.environ['GF_WORKSPACE'])",
  },
  {
    cell_type: 'markdown',
    source:
      'Clients of Figbase find their API key in `GF_API_KEY`. It may read and publish in this workspace only, and is revoked when this notebook stops.',
  },
  {
    cell_type: 'code',
    source: `import json
import urllib.request

url = f"{os.environ['GF_URL']}/api/v1.4.1/workspace/{os.environ['GF_WORKSPACE']}/"
headers = {'Authorization': f"Token {os.environ['GF_API_KEY']}"}
with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as response:
    workspace = json.load(response)
workspace['name']`,
  },
]

/** The first file of a new volume, as the text of an `.ipynb` file. */
export const starterNotebook = (): string =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 4,
    metadata: {
      kernelspec: { name: 'python3', language: 'python', display_name: 'Python 3' },
    },
    cells: cells.map(({ source, cell_type }) =>
      cell_type === 'code'
        ? { cell_type, metadata: {}, source, execution_count: null, outputs: [] }
        : { cell_type, metadata: {}, source },
    ),
  })
