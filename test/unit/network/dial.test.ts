import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLocalNetworkDenied, type FailedDial } from '../../../main/network/dial.ts';

/** What Node reports on macOS 15 without the permission for the local network. */
const denied: FailedDial = {
  error: Object.assign(new Error('connect EHOSTUNREACH 192.168.1.10:80'), { code: 'EHOSTUNREACH' }),
  addresses: [{ address: '192.168.1.10', family: 4 }],
  durationMs: 2,
};

describe('A denial of the local network', () => {
  test('is recognised on macOS by an immediate EHOSTUNREACH for a local address', () => {
    assert.equal(isLocalNetworkDenied(denied, 'darwin'), true);
    const linkLocal = [{ address: 'fe80::1%en0', family: 6 }];
    assert.equal(isLocalNetworkDenied({ ...denied, addresses: linkLocal }, 'darwin'), true);
  });

  test('is not assumed for another system, error or address, nor for a host that does not answer', () => {
    assert.equal(isLocalNetworkDenied(denied, 'linux'), false);
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    assert.equal(isLocalNetworkDenied({ ...denied, error: refused }, 'darwin'), false);
    const publicAddress = [{ address: '8.8.8.8', family: 4 }];
    assert.equal(isLocalNetworkDenied({ ...denied, addresses: publicAddress }, 'darwin'), false);
    assert.equal(isLocalNetworkDenied({ ...denied, durationMs: 3000 }, 'darwin'), false);
  });
});
