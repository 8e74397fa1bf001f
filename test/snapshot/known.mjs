const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="40"><circle cx="32" cy="20" r="12"/></svg>'

/** Publishes a figure as a user who must still exist after the migration. */
export async function publishKnown(origin) {
  const username = 'ada'
  const password = 'correct horse battery'
  const account = {
    username,
    password,
    email: 'ada@example.org',
    first_name: 'Ada',
    last_name: 'Lovelace',
  }
  const { auth } = await post(origin, 'user', account)
  const create = async (type, body) => (await post(origin, type, body, auth.access)).api_id
  const workspace = await create('workspace', { name: 'Climate', description: 'Station data' })
  const analysis = await create('analysis', { name: 'Temperatures', workspace })
  const figure = await create('figure', { name: 'Monthly means', analysis })
  const data = Buffer.from(picture).toString('base64')
  const revision = await create('revision', {
    figure,
    metadata: { seed: 42 },
    data: [{ name: 'figure', type: 'image', metadata: { format: 'svg' }, data }],
  })
  return { username, password, workspace, figure, revision }
}

async function post(origin, path, body, token) {
  const response = await fetch(`${origin}/api/v1.4.1/${path}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
