// The health check of a container: exits with 0 if the operations port of the process answers that it is ready.
// `healthcheck.mjs livez` only asks whether it is alive.
const [path = 'readyz'] = process.argv.slice(2)
const { OPERATIONS_HOST = '', OPERATIONS_PORT = '' } = process.env
const host = ['', '0.0.0.0', '::'].includes(OPERATIONS_HOST) ? '127.0.0.1' : OPERATIONS_HOST
const port = OPERATIONS_PORT || '9464'
try {
  const response = await fetch(`http://${host}:${port}/${path}`, {
    signal: AbortSignal.timeout(4000),
  })
  console.log(await response.text())
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  console.error(`${host}:${port} (OPERATIONS_PORT): ${error.cause?.message ?? error.message}`)
  process.exitCode = 1
}
