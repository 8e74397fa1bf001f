/** A file of a form. */
export class FormFile {
  constructor(
    /** As the browser sent it: never a path to trust. */
    readonly name: string,
    readonly bytes: Buffer,
  ) {}
}
