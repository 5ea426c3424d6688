# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

# Devise's passwords, hashed and verified by fountd over TCP. app.rb shows what a model and
# ApplicationController need. Devise's own pepper must be empty. All sessions end once.
#
# FOUNTD_URL says where fountd is, FOUNTD_CA, FOUNTD_CERT and FOUNTD_KEY name TLS's files. Each call
# has a connection of its own: forked workers share none.

require "json"
require "net/http"
require "openssl"
require "timeout"

module FountdDevise
  extend ActiveSupport::Concern

  TIMEOUT = 2 # seconds for a whole call, of which fountd has one
  MAX_REPLY = 64 << 10 # bytes

  INVALID = {
    "too_long" => "The password is too long.",
    "too_large" => "The password is too long.",
    "empty" => "The password is empty.",
    "nul" => "The password has a NUL character."
  }.freeze

  # The password is neither right nor wrong.
  class Unavailable < StandardError
    attr_reader :retry_after # seconds

    def initialize(why, retry_after = nil)
      super("fountd: #{why}")
      @retry_after = (1..86_400).cover?(retry_after.to_s[/\A\d{1,5}\z/].to_i) ? retry_after : "1"
    end
  end

  # The password is too long, or a new one is empty.
  class InvalidPassword < ArgumentError; end

  class Current < ActiveSupport::CurrentAttributes
    attribute :address # where the attempt comes from
  end

  # Counts what a connection reads, by the log that Net::HTTP writes of it.
  class Meter
    attr_reader :bytes

    def initialize
      @bytes = 0
    end

    def <<(line)
      @bytes += line.bytesize if line.start_with?("->")
      raise "fountd: an answer of more than #{MAX_REPLY} bytes" if @bytes > MAX_REPLY

      self
    end
  end

  included do
    validate { errors.add(:base, @invalid_password) if @invalid_password }
  end

  class_methods do
    # An unknown user's password is verified too: with fountd's `stored`, as long as a wrong one.
    def find_for_database_authentication(conditions)
      super || new
    end
  end

  class << self
    def ask(what, password, **request)
      request.update(password_b64: [password.to_s].pack("m0"), principal: Current.address.to_s)
      reply = post("/v1/#{what}", request)
      members = parse(reply.body.to_s)
      return members if reply.code == "200" && reply.content_type == "application/json"

      # Another server that answers here may repeat the password: so no text of it goes on.
      reason = members["reason"] if reply.content_type == "application/problem+json"
      raise InvalidPassword, INVALID[reason] if %w[413 422].include?(reply.code) && INVALID.key?(reason)

      raise Unavailable.new(reply.code, reply["Retry-After"]) if %w[429 502 503 504].include?(reply.code)

      raise "fountd: #{reply.code}" # a defect, which fountd's log has
    end

    private

    # Asks once more where a connection ends without a byte, as one does when fountd restarts.
    def post(path, request)
      deadline = now + TIMEOUT
      tries = 0
      Timeout.timeout(TIMEOUT) do
        request[:deadline_ms] = ((deadline - now) * 1000).clamp(1, 1000).to_i
        post = Net::HTTP::Post.new(path, "Content-Type" => "application/json", "Accept-Encoding" => "identity")
        post.body = JSON.generate(request)
        meter = Meter.new
        reply = connect(meter).start { |http| http.request(post) }
        raise EOFError unless [nil, reply.body.to_s.bytesize].include?(reply.content_length)

        return reply
      rescue EOFError, Errno::ECONNRESET, Errno::EPIPE
        retry if meter.bytes.zero? && (tries += 1) < 2
        raise
      end
    rescue SystemCallError, IOError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError,
           Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError => e
      raise Unavailable.new(e.class), cause: nil # whose text may be the password's echo
    end

    def connect(meter)
      uri = URI(ENV.fetch("FOUNTD_URL", "http://127.0.0.1:8080"))
      http = Net::HTTP.new(uri.host, uri.port, nil) # nil: no proxy, whatever http_proxy says
      http.set_debug_output(meter)
      http.use_ssl = uri.scheme == "https"
      http.ca_file = ENV["FOUNTD_CA"]
      if ENV["FOUNTD_CERT"]
        http.cert = OpenSSL::X509::Certificate.new(File.read(ENV["FOUNTD_CERT"]))
        http.key = OpenSSL::PKey.read(File.read(ENV["FOUNTD_KEY"]))
      end
      http
    end

    def parse(body)
      members = JSON.parse(body)
      members.is_a?(Hash) ? members : {}
    rescue JSON::ParserError
      {}
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end

  # One call verifies and brings the hash to store: a second one could be refused.
  def valid_password?(password)
    stored = encrypted_password.to_s
    answer = FountdDevise.ask("verify", password, hash: stored.scrub, renew: true)
    match, hash = answer.values_at("match", "hash")
    raise "fountd: an answer without match" unless [true, false].include?(match)
    return match unless match && hash.is_a?(String) && persisted?

    # Somebody else may have replaced it meanwhile, by such a hash or by that of another password.
    here = self.class.unscoped.where(self.class.primary_key => id, encrypted_password: stored)
    unless here.update_all(["encrypted_password = ?", hash]) == 1
      reload
      return encrypted_password.to_s == stored || valid_password?(password)
    end
    self.encrypted_password = hash
    clear_attribute_changes([:encrypted_password])
    true
  rescue InvalidPassword
    false
  end

  # Devise's own takes 29 characters, which all users' hashes share. Sessions end at another hash.
  def authenticatable_salt
    OpenSSL::Digest::SHA256.hexdigest(encrypted_password.to_s)
  end

  protected

  def password_digest(password)
    @invalid_password = nil
    hash = FountdDevise.ask("hash", password)["hash"]
    hash.is_a?(String) ? hash : raise("fountd: an answer without hash")
  rescue InvalidPassword => e
    @invalid_password = e.message
    encrypted_password
  end
end
