// A module hook that reloads the modules of the tested copy for each run, and loads all others once.
const shim = new URL('node-test.mjs', import.meta.url).href
const runOf = (url) => (url ? new URL(url).searchParams.get('run') : null)

export async function resolve(specifier, context, next) {
  const run = runOf(context.parentURL)
  if (run && specifier === 'node:test') return { url: shim, shortCircuit: true }
  const resolved = await next(specifier, context)
  if (run && specifier.startsWith('.')) return { ...resolved, url: `${resolved.url}?run=${run}` }
  return resolved
}
