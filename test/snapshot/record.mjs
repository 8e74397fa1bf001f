// Loaded into every process of a run (`node --import`): appends each SQL text of the product as a line of JSON to
// FIGBASE_SQL_RECORD, once per process.
import { appendFileSync } from 'node:fs'
import pg from 'pg'

const file = process.env.FIGBASE_SQL_RECORD
const seen = new Set()
const framesMax = 60

const query = pg.Client.prototype.query
pg.Client.prototype.query = function (...args) {
  const text = typeof args[0] === 'string' ? args[0] : args[0]?.text
  if (file && text) note(schemaOf(this), text)
  return query.apply(this, args)
}

function note(schema, sql) {
  const line = `${JSON.stringify({ schema, sql })}\n`
  if (seen.has(line) || !isOfProduct(callers())) return
  seen.add(line)
  appendFileSync(file, line)
}

/** The schema, from the application name of the pool. */
const schemaOf = ({ connectionParameters }) =>
  /^figbase (\w+)$/.exec(connectionParameters.application_name ?? '')?.[1] ?? ''

// Code that only runs statements of its callers.
const forwardingFiles =
  /node_modules|^node:|\/services\/kit\/(dist\/)?src\/db\/(statement|transact)\b/
const isTest = /\.test\.[jt]s|\/(dist\/)?test\/|\/src\/testing\//

/** Whether the product sends the statement, and not a test. */
function isOfProduct(files) {
  const own = files.find((name) => !forwardingFiles.test(name))
  return own !== undefined && !isTest.test(own)
}

/** The files in the call stack, also across `await`. */
function callers() {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = framesMax
  Error.prepareStackTrace = (_, sites) => sites
  try {
    const sites = new Error().stack
    return sites
      .map((site) => site.getFileName() ?? '')
      .filter((name) => name !== '' && name !== import.meta.url)
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
}
