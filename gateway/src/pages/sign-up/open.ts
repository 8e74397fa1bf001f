import type { Input } from '../../endpoint.js'

export const signUpPath = '/sign-up/'

/** The address of the sign-up page that redirects to `path` afterwards. */
export const signUpFor = (path: string): string => `${signUpPath}?next=${encodeURIComponent(path)}`

/** Whether anyone may create an account. */
export async function isSignUpOpen({ services, call }: Input): Promise<boolean> {
  return (await services.site.getPublicSettings({}, call)).signUpEnabled
}
