import type { ServerContext } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The HTTP request of a call. */
export interface HttpCall {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const httpCallOf = ({ http }: ServerContext): HttpCall => http?.authInfo?.extra as unknown as HttpCall;
