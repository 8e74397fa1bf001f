import { deployment, LATEST } from './deployment.js'

/** All routes of the OpenAPI document, without the version. */
export async function routesOf(version: string = LATEST): Promise<string[]> {
  const answer = await fetch(new URL(`/api/${version}/openapi.json`, deployment.origin))
  const { paths } = (await answer.json()) as { paths: Record<string, object> }
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.keys(methods)
        // Beside its methods, a path may have parameters.
        .filter((name) => name !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path.replace(`/api/${version}`, '')}`),
    )
    .sort()
}
