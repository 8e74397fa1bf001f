// The script of /docs/api/: Swagger UI with samples of code, and requests as the user who is signed in.

const reference = document.getElementById('reference')
const { document: documentPath, signedIn } = reference.dataset

/** An access token of the browser's session, which is asked for when it is needed, and again before it ends. */
let token = { access: '', endsAt: 0 }
const marginMs = 30_000

async function accessToken() {
  if (token.endsAt - marginMs > Date.now()) return token.access
  const response = await fetch('/session/token/', { method: 'POST' })
  if (!response.ok) return ''
  const { access, expires_in_seconds } = await response.json()
  token = { access, endsAt: Date.now() + expires_in_seconds * 1000 }
  return access
}

/** Credentials that were entered in the page come first. */
async function authorized(request) {
  const isApi = new URL(request.url, location.href).origin === location.origin
  if (!signedIn || !isApi || request.loadSpec || request.headers?.Authorization) return request
  const access = await accessToken()
  if (access) request.headers = { ...request.headers, Authorization: `Bearer ${access}` }
  return request
}

/** A request that a sample shows. `body`: an object that is sent as JSON; absent: none. */
function requestOf(path, method, operation, sampleOf) {
  const url = `${location.origin}${path}`
  const content = operation.requestBody?.content ?? {}
  const json = content['application/json']
  const [bytesType] = Object.keys(content)
  const isPublic = operation.security?.some((one) => Object.keys(one).length === 0)
  return {
    url,
    method: method.toUpperCase(),
    token: operation.security?.length > 0 && !isPublic,
    body: json ? bodyOf(json, sampleOf) : undefined,
    bytesType: json ? undefined : bytesType,
  }
}

function bodyOf({ example, examples, schema }, sampleOf) {
  const [first] = Object.values(examples ?? {})
  return example ?? first?.value ?? sampleOf(schema)
}

const samples = {
  curl({ url, method, token, body, bytesType }) {
    const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`]
    if (token) lines.push(`-H "Authorization: Token $API_KEY"`)
    if (body !== undefined) {
      lines.push(`-H 'Content-Type: application/json'`)
      lines.push(`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`)
    }
    if (bytesType) lines.push(`-H 'Content-Type: ${bytesType}'`, '--data-binary @file')
    return lines.join(' \\\n  ')
  },
  Python({ url, method, token, body, bytesType }) {
    const headers = [
      ...(token ? [`"Authorization": f"Token {api_key}"`] : []),
      ...(bytesType ? [`"Content-Type": ${JSON.stringify(bytesType)}`] : []),
    ]
    const options = [
      ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
      ...(body === undefined ? [] : [`json=${pythonOf(body)}`]),
      ...(bytesType ? [`data=open("file", "rb")`] : []),
    ]
    const call = [JSON.stringify(url), ...options].map((one) => `    ${one},\n`).join('')
    return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n${call})\nresponse.raise_for_status()`
  },
  TypeScript({ url, method, token, body, bytesType }) {
    const headers = [
      ...(token ? [`Authorization: 'Token ' + apiKey`] : []),
      ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
      ...(bytesType ? [`'Content-Type': '${bytesType}'`] : []),
    ]
    const options = [
      `method: '${method}'`,
      ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
      ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body, null, 2)})`]),
      ...(bytesType ? ['body: file'] : []),
    ]
    const lines = options.map((one) => `  ${one.replaceAll('\n', '\n  ')},\n`).join('')
    return `const response = await fetch('${url}', {\n${lines}})\nif (!response.ok) throw new Error(await response.text())`
  },
}

/** A JSON value as Python. */
function pythonOf(value) {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`,
  )
  return `{${members.join(', ')}}`
}

/** Shows the samples of an operation before its responses. */
const withSamples = () => ({
  wrapComponents: {
    responses: (Responses, system) => (props) => {
      const h = system.React.createElement
      const { path, method } = props
      const operation = system.specSelectors.specResolvedSubtree(['paths', path, method])
      const shown = operation && h(Samples, { system, path, method, operation: operation.toJS() })
      return h('div', null, shown, h(Responses, props))
    },
  },
})

function Samples({ system, path, method, operation }) {
  const h = system.React.createElement
  const [language, choose] = system.React.useState('curl')
  const sampleOf = (schema) => (schema ? system.fn.getSampleSchema(schema, 'application/json') : {})
  const text = samples[language](
    requestOf(path, method, operation, (schema) => parsed(sampleOf(schema))),
  )
  const tabs = Object.keys(samples).map((name) =>
    h(
      'button',
      { key: name, type: 'button', 'aria-pressed': name === language, onClick: () => choose(name) },
      name,
    ),
  )
  return h(
    'section',
    { className: 'samples', 'aria-label': 'Samples' },
    h('div', { className: 'languages' }, ...tabs),
    h('pre', { tabIndex: 0 }, h('code', null, text)),
  )
}

const parsed = (sample) => (typeof sample === 'string' ? JSON.parse(sample) : sample)

/** The document with what Swagger UI does not show: parameters of paths that are references, and `x-errors`. */
const withDetails = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) => update({ ...spec, paths: detailed(spec) }),
      },
    },
  },
})

function detailed({ paths, components }) {
  const resolved = ({ $ref, ...value }) => {
    const [kind, name] = $ref?.split('/').slice(2) ?? []
    return kind ? components[kind][name] : value
  }
  const ofPath = ([path, { parameters = [], ...operations }]) => {
    const entries = Object.entries(operations).map(([method, operation]) => [
      method,
      { ...operation, responses: withErrors(operation, resolved) },
    ])
    return [path, { parameters: parameters.map(resolved), ...Object.fromEntries(entries) }]
  }
  return Object.fromEntries(Object.entries(paths ?? {}).map(ofPath))
}

/** The descriptions of `4XX` and `5XX` list the `error` values of the operation by status. */
function withErrors({ responses, 'x-errors': own = {} }, resolved) {
  const entries = Object.entries(responses).map(([status, response]) => {
    if (!status.endsWith('XX')) return [status, response]
    const { 'x-errors': errors, description, ...others } = resolved(response)
    const lines = Object.keys({ ...errors, ...own })
      .filter((one) => one[0] === status[0])
      .map((one) => {
        const values = [...(errors[one] ?? []), ...(own[one] ?? [])]
        return `- ${one}: ${values.map((value) => `\`${value}\``).join(', ')}`
      })
    return [status, { ...others, description: `${description}\n\n${lines.join('\n')}` }]
  })
  return Object.fromEntries(entries)
}

SwaggerUIBundle({
  url: documentPath,
  domNode: reference,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [withSamples, withDetails],
  requestInterceptor: authorized,
})
