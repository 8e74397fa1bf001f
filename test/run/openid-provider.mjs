/** The settings of a product whose people may sign in with a provider of their own, which ends with the work. */
export async function withOpenIdProvider(work) {
  const { startOpenIdProvider } = await import('../../services/kit/dist/src/testing/index.js')
  const provider = await startOpenIdProvider()
  await work(provider.settings).finally(() => provider[Symbol.asyncDispose]())
}
