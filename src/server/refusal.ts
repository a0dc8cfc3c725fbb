// How requests are refused: one line of JSON, whatever is wrong. Must not know what was asked.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiError } from './api.js';

/** What a request asks for cannot be done; the message is for the user. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ContentfulStatusCode;
  readonly issues: ApiError['issues'];

  constructor(status: ContentfulStatusCode, message: string, issues?: ApiError['issues']) {
    super(message);
    this.status = status;
    this.issues = issues;
  }
}

export function refuse(
  context: Context,
  status: ContentfulStatusCode,
  error: string,
  issues?: ApiError['issues'],
): Response {
  const answer: ApiError = { error, ...(issues !== undefined && { issues }) };
  return context.json(answer, status);
}
